/**
 * An authorizer for only some requests (field: {@code matchConditions} of a webhook).
 *
 * <p>The matcher is an interface, as the expression language is a library's. May depend on {@code io.plat.engine} and its explanations only.
 */
@NullMarked
package io.plat.engine.condition;

import org.jspecify.annotations.NullMarked;
