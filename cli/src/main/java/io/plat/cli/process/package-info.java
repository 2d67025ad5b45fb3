/** The process that a run is: what it finds around it, and how it ends. Depends on no other package of plat. */
@NullMarked
package io.plat.cli.process;

import org.jspecify.annotations.NullMarked;
