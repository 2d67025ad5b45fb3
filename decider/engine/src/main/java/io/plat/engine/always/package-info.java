/**
 * The modes with constant decisions: everything is allowed, or everything is denied (specification, "Authorizer selection", 1). May depend on
 * {@code io.plat.engine} and its explanations only.
 */
@NullMarked
package io.plat.engine.always;

import org.jspecify.annotations.NullMarked;
