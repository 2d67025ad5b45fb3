/**
 * {@code plat matrix}: subjects against resources. Where the engine of this process decides, it is asked for each cell; a server is asked
 * who may do each thing, so that the number of subjects costs nothing. Both give the same cells.
 */
@NullMarked
package io.plat.cli.matrix;

import org.jspecify.annotations.NullMarked;
