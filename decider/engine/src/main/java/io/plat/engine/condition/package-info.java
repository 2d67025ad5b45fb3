/**
 * An authorizer that is asked only about some requests (field: {@code matchConditions} of a webhook).
 *
 * <p>What selects them is an interface, as its language is somebody else's library. May depend on {@code io.plat.engine} and its
 * explanations only.
 */
@NullMarked
package io.plat.engine.condition;

import org.jspecify.annotations.NullMarked;
