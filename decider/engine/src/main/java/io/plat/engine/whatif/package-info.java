/**
 * What the policy in force says, and what would become of everybody's access if it said something else.
 *
 * <p>The policy is looked for in the authorizer that decides; who decides and has no policy that could be read is named. May depend on
 * the policies of {@code io.plat.engine.abac} and {@code io.plat.engine.rbac}, on their algebra in {@code io.plat.engine.access}, on
 * {@code io.plat.engine.explain} and on reviews.
 */
@NullMarked
package io.plat.engine.whatif;

import org.jspecify.annotations.NullMarked;
