/**
 * Records of decisions: the request, the policy in effect and the duration, as one line of JSON each, in which fields can be masked. Log and stream
 * have the same lines. Depends on the engine's decisions and the reviews, not on HTTP.
 */
@NullMarked
package io.plat.engine.decided;

import org.jspecify.annotations.NullMarked;
