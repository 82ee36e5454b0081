export class Queue {
  private items: number[] = [];

  push(item: number): void {
    this.items.push(item);
  }

  pop(): number | undefined {
    // BEGIN EDITABLE pop
    return undefined;
    // END EDITABLE pop
  }
}
