/**
 * Watch connections: the changes of {@link io.plat.apiserver.operations.ObjectWatch} are sent as frames of a chunked response, or as
 * WebSocket messages.
 *
 * <p>No watch has a thread. A few threads serve those that have something to send; a watch whose client does not read has one bounded
 * write in progress, and is aborted when that takes too long.
 */
@NullMarked
package io.plat.apiserver.watch;

import org.jspecify.annotations.NullMarked;
