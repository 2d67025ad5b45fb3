/** {@code plat replay}: requests of a server's log, repeated with another policy. */
@NullMarked
package io.plat.cli.replay;

import org.jspecify.annotations.NullMarked;
