/**
 * The ways in which who holds some rights can gain others: by giving them to himself, or by acting as somebody who holds them.
 *
 * <p>Who may create pods in a namespace, or run a command in those that are there, may use every service account of it; who may create their tokens, impersonate, approve and sign
 * certificates, or write roles and bindings without holding what they grant, may be whomever that allows. {@link
 * io.plat.cli.climb.Climbs} finds who gains anything in this way, and how. May depend on {@code io.plat.engine.access}
 * and {@code io.plat.review}.
 */
@NullMarked
package io.plat.cli.climb;

import org.jspecify.annotations.NullMarked;
