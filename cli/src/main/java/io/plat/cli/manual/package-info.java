/** The command {@code plat man}: manual pages, generated from the help of the commands. */
@NullMarked
package io.plat.cli.manual;

import org.jspecify.annotations.NullMarked;
