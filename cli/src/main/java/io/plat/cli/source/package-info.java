/** Sources of decisions: a server, or the engine in this process. Commands use one interface. */
@NullMarked
package io.plat.cli.source;

import org.jspecify.annotations.NullMarked;
