/**
 * Unions of authorizers, called in order by one loop. {@link io.plat.engine.union.UnionAuthorizer} is the union of modes (specification, "Authorizer
 * selection", 2). {@link io.plat.engine.union.StructuredUnion} implements Kubernetes' structured configuration.
 *
 * <table><caption>The loop, for each member</caption>
 * <tr><td>Allow</td><td>final: the union allows</td></tr>
 * <tr><td>Deny</td><td>final for a member with a veto; else the next member is called</td></tr>
 * <tr><td>Undecided</td><td>final for a member whose failure denies; else the next member is called</td></tr>
 * <tr><td>NoOpinion</td><td>the next member is called</td></tr>
 * <tr><td>it throws, or returns null</td><td>as Undecided</td></tr>
 * </table>
 *
 * <p>After the last member: Undecided if one was undecided (as a failure if one failed), else Deny if one denied, else NoOpinion; with every member's
 * reason, the same one once. Members of the union of modes have no veto: the first Allow wins, regardless of the others. May depend on {@code
 * io.plat.engine} and its explanations only.
 */
@NullMarked
package io.plat.engine.union;

import org.jspecify.annotations.NullMarked;
