/**
 * Completion in shells. The scripts are a few lines each: they ask the program itself, which knows its commands and flags, and the server
 * for what only the server knows. The lines that it answers with are those that kubectl's plug-ins speak: candidates, and last a colon
 * with a number.
 */
@NullMarked
package io.plat.cli.completion;

import org.jspecify.annotations.NullMarked;
