/**
 * The commands {@code plat man} and {@code plat completion}: manual pages and completion in shells, from the help of the commands. The scripts are a few
 * lines each: they call the program itself, which requests names of objects from the server. The lines of its response have the format of kubectl's
 * plug-ins: candidates, and last a colon with a number.
 */
@NullMarked
package io.plat.cli.manual;

import org.jspecify.annotations.NullMarked;
