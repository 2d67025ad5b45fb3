/**
 * Parts of commands: their common class, the program that they run in, and the groups of flags that several of them have. Depends on
 * sources and output ({@code source}, {@code server}, {@code policy}, {@code output}), and on no command.
 */
@NullMarked
package io.plat.cli.command;

import org.jspecify.annotations.NullMarked;
