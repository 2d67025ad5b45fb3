/**
 * The protocols that a decider answers: what they have in common, from the client's identity and the intake of a question to the decision that is
 * counted, logged and compared. A package for each protocol translates its questions into attributes and decisions into its answers. Depends on
 * {@code engine} and {@code http}.
 */
@NullMarked
package io.plat.fronts;

import org.jspecify.annotations.NullMarked;
