/**
 * Validating admission policies: matching of policies and bindings to requests, parameters, and enforcement.
 *
 * <p>Policies are read from the same snapshot of the store as everything else that a write depends on. There is no cache that could lag
 * behind: an acknowledged policy applies to every write that begins afterwards.
 */
@NullMarked
package io.plat.apiserver.admission;

import org.jspecify.annotations.NullMarked;
