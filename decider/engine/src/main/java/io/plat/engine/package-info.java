/**
 * Authorization decisions. {@link io.plat.engine.Authorizer} is the only interface between callers and authorizers; every mode, the union of modes,
 * the cache and the remote decider implement it.
 *
 * <p>A decision is a value and never an exception: an exception thrown by an authorizer is a bug, and composed authorizers treat it as a failure of
 * that member. May depend on {@code io.plat.review} and {@code io.plat.tls}; independent of HTTP.
 */
@NullMarked
package io.plat.engine;

import org.jspecify.annotations.NullMarked;
