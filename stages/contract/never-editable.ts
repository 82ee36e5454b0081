import { globPattern } from './globs.ts';
import { foldPath } from './paths.ts';

/**
 * Names that decide how a project is built, run or judged. A candidate that may write one of them can turn any result.
 * Patterns match at any depth, folded. Where a tool's name is also a common module name (build, compose, workspace, dune,
 * biome) only the tool's own spellings are listed, so that `src/compose.ts` stays a source file.
 */
const names: Record<string, string> = {
  javascript: `package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock* .npmrc .yarnrc*
    .pnpmfile.cjs pnpm-workspace.yaml .nvmrc .node-version node_modules/** tsconfig*.json jsconfig.json vitest.* vite.* jest.*
    babel.* .babelrc* .mocharc* ava.* playwright.* cypress.* karma.* *eslint* biome.json biome.jsonc .biome.json*
    .prettierrc* __mocks__/** __snapshots__/** *.snap`,
  python: `conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini setup.cfg setup.py pyproject.toml noxfile.py
    sitecustomize.py usercustomize.py *.pth *.egg-link .coveragerc mypy.ini ruff.toml requirements*.txt poetry.lock uv.lock`,
  compiled: `go.mod go.sum go.work vendor/** .golangci* cargo.toml cargo.lock .cargo/** build.rs rust-toolchain* clippy.toml`,
  build: `makefile gnumakefile justfile taskfile.* cmakelists.txt build build.bazel workspace workspace.bazel
    workspace.bzlmod module.bazel .bazelrc pom.xml *.gradle*`,
  boxes: `dockerfile* compose*.yml compose*.yaml docker-compose* .devcontainer/** .github/** .gitlab-ci.yml .circleci/** .env*`,
  git: `.git/** .gitattributes .gitmodules .gitignore .mailmap .lfsconfig .husky/** .pre-commit-config.yaml lefthook.yml
    codeowners`,
  readers: `agents.md claude.md .claude/** .codex/** .cursor/** .agents/**`,
  provers: `root roots etc/** _coqproject dune dune-project dune-workspace dune-file *.opam makefile.coq* *.mlg *.vo
    lakefile* lake-manifest.json lean-toolchain`,
  tests: `test/** tests/** __tests__/** spec/** e2e/** src/test/** *.test.* *.spec.* test_*.py *_test.py *_test.go`,
};

const patterns = Object.values(names)
  .flatMap((list) => list.split(/\s+/u))
  .filter((name) => name !== '')
  .map((name) => globPattern(`**/${name}`));

/** Whether a path may never be edited, created or deleted unless the contract overrides it by name. */
export function isNeverEditable(path: string): boolean {
  const folded = foldPath(path);
  return patterns.some((pattern) => pattern.test(folded));
}
