/**
 * Several authorizers as one (specification, "Authorizer selection", 2): asked in their order, and one that allows is enough.
 *
 * <p>The whole semantics: the first Allow wins, whatever the others say; there is no veto. Where nothing allows and a member could
 * not tell, the union can't tell either. Else it refuses, as a Deny if a member denied, with every member's reason. A
 * member that throws has failed. May depend on {@code io.plat.engine} and its explanations only.
 */
@NullMarked
package io.plat.engine.union;

import org.jspecify.annotations.NullMarked;
