/**
 * Client library of deciders, for access checks in any Java program.
 *
 * <p>{@link io.plat.client.AccessClient} sends requests, caches answers and fails closed. It needs Java 17 and Jackson's streaming parser, nothing
 * else.
 */
@NullMarked
package io.plat.client;

import org.jspecify.annotations.NullMarked;
