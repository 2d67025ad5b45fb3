/**
 * Keeps the rules of aggregating cluster roles filled with those of the roles that they pick, for whoever reads them.
 *
 * <p>Rules: what decides is the index, which aggregates by itself and at once; what stands in an object follows within
 * milliseconds, is the server's alone, and is written only where it changes. May depend on {@code io.plat.apiserver.roles}, {@code
 * io.plat.apiserver.operations}, {@code io.plat.apiserver.storage} and {@code io.plat.engine.rbac}.
 */
@NullMarked
package io.plat.apiserver.roles.aggregation;

import org.jspecify.annotations.NullMarked;
