/**
 * The command {@code plat matrix}: subjects against resources. The engine in this process decides each cell; a server lists the subjects of each
 * access, so the number of subjects does not matter. The cells are the same.
 */
@NullMarked
package io.plat.cli.matrix;

import org.jspecify.annotations.NullMarked;
