/**
 * Completion in shells. The scripts are a few lines each: they call the program itself, which has its commands and flags, and requests other
 * names from the server. The format of the response lines is that of kubectl's plug-ins: candidates, and last a colon with a number.
 */
@NullMarked
package io.plat.cli.completion;

import org.jspecify.annotations.NullMarked;
