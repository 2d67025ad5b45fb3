/**
 * Client library of deciders: programs ask it whether a user may do something.
 *
 * <p>{@link io.plat.client.AccessClient} sends requests, caches answers and fails closed. It needs Java 17 and Jackson's streaming parser, nothing
 * else.
 */
@NullMarked
package io.plat.client;

import org.jspecify.annotations.NullMarked;
