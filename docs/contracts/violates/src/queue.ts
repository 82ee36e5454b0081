export class Queue {
  private items: number[] = [];

  push(item: number): void {
    if (item !== 0) this.items.push(item);
  }

  pop(): number | undefined {
    // BEGIN EDITABLE pop
    return this.items.shift();
    // END EDITABLE pop
  }
}
