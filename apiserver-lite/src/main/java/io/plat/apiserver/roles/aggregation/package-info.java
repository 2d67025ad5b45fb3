/**
 * Aggregation of cluster roles: stores the rules of the selected roles in aggregating ones, for readers.
 *
 * <p>Rules: decisions are made by the index, which aggregates immediately; the stored rules follow within milliseconds, are
 * managed by the server, and are written only on changes. May depend on {@code io.plat.apiserver.roles}, {@code
 * io.plat.apiserver.operations}, {@code io.plat.apiserver.storage} and {@code io.plat.engine.rbac}.
 */
@NullMarked
package io.plat.apiserver.roles.aggregation;

import org.jspecify.annotations.NullMarked;
