/** {@code plat diff}: access that a change of policy grants and revokes. */
@NullMarked
package io.plat.cli.diff;

import org.jspecify.annotations.NullMarked;
