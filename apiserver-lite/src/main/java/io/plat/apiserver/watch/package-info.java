/**
 * Watches as connections carry them: the changes that {@link io.plat.apiserver.operations.ObjectWatch} finds go out as frames of a
 * chunked answer, or as messages of a WebSocket.
 *
 * <p>No watch has a thread. A few threads take turns with those that have something to send; a watch whose client does not read
 * has one bounded write under way, and is dropped alone when that takes too long.
 */
@NullMarked
package io.plat.apiserver.watch;

import org.jspecify.annotations.NullMarked;
