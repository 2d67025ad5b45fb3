/**
 * Custom types: their definitions, the decision which of them are served and under which names, and the rules for their objects.
 *
 * <p>The state is derived from the definitions in the store. One thread reads their changes, decides on names, writes conditions and
 * publishes a snapshot through one reference; the response to a write of a definition waits for that. Schemas are compiled when a type is
 * first used. May depend on {@code io.plat.apiserver.operations} and {@code io.plat.apiserver.storage}; independent of HTTP.
 */
@NullMarked
package io.plat.apiserver.custom;

import org.jspecify.annotations.NullMarked;
