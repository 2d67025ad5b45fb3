/**
 * An authorizer with match conditions (Kubernetes: {@code matchConditions} of a webhook).
 *
 * <p>The matcher is an interface, so that the package does not depend on the expression language. May depend on {@code io.plat.engine} and its
 * explanations only.
 */
@NullMarked
package io.plat.engine.condition;

import org.jspecify.annotations.NullMarked;
