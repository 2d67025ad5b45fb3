/** The process of a run: its environment and its exit code. Depends on no other package of plat. */
@NullMarked
package io.plat.cli.process;

import org.jspecify.annotations.NullMarked;
