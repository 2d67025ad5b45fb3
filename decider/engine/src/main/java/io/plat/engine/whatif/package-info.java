/**
 * The text of the policy in effect, and previews of changes to it.
 *
 * <p>The policy is extracted from the server's authorizer; authorizers without a readable policy are reported. May depend on the policies of {@code
 * io.plat.engine.abac} and {@code io.plat.engine.rbac}, on their algebra in {@code io.plat.engine.access}, on {@code io.plat.engine.explain} and on
 * reviews.
 */
@NullMarked
package io.plat.engine.whatif;

import org.jspecify.annotations.NullMarked;
