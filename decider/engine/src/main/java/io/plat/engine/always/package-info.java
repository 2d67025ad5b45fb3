/**
 * The modes that look at nothing: everything is allowed, or everything is refused (specification, "Authorizer selection", 1).
 * May depend on {@code io.plat.engine} and its explanations only.
 */
@NullMarked
package io.plat.engine.always;

import org.jspecify.annotations.NullMarked;
