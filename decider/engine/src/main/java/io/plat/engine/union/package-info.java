/**
 * Several authorizers as one. {@link io.plat.engine.union.UnionAuthorizer} is the union of modes (specification, "Authorizer selection",
 * 2): asked in their order, and one that allows is enough. {@link io.plat.engine.union.StructuredUnion} is the field's other rule, for its
 * structured configuration alone, where a member may have a veto; the two share how a member is asked,
 * and no code that decides.
 *
 * <p>The whole semantics of the union of modes: the first Allow wins, whatever the others say; there is no veto. Where nothing allows and a member could
 * not tell, the union can't tell either. Else it refuses, as a Deny if a member denied, with every member's reason. A
 * member that throws has failed. May depend on {@code io.plat.engine} and its explanations only.
 */
@NullMarked
package io.plat.engine.union;

import org.jspecify.annotations.NullMarked;
