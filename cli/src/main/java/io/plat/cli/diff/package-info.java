/** {@code plat diff}: what a change of policy grants and revokes. */
@NullMarked
package io.plat.cli.diff;

import org.jspecify.annotations.NullMarked;
