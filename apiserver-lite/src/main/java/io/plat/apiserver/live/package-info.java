/**
 * Decisions about requests as they are made, for those who look on: {@code GET /decisions}, server-sent events in the words of a decider's
 * decision log. May depend on {@code io.plat.apiserver.filter}, {@code io.plat.apiserver.audit}, {@code io.plat.engine.decided} and {@code
 * io.plat.http.stream}.
 */
@NullMarked
package io.plat.apiserver.live;

import org.jspecify.annotations.NullMarked;
