/** {@code plat replay}: what was asked of servers, asked of another policy. */
@NullMarked
package io.plat.cli.replay;

import org.jspecify.annotations.NullMarked;
