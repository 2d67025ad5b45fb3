/**
 * Decisions for accounting: the request, the policy in effect and the duration, as one line of JSON each, in which fields can be masked. A log
 * and a stream have the same lines. Knows the engine's decisions and the reviews, and no HTTP.
 */
@NullMarked
package io.plat.engine.decided;

import org.jspecify.annotations.NullMarked;
