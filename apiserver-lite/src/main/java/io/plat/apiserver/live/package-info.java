/**
 * Live authorization decisions for subscribers: {@code GET /decisions}, server-sent events in the format of the decider's decision log.
 * May depend on {@code io.plat.apiserver.filter}, {@code io.plat.apiserver.audit}, {@code io.plat.engine.decided} and {@code
 * io.plat.http.stream}.
 */
@NullMarked
package io.plat.apiserver.live;

import org.jspecify.annotations.NullMarked;
