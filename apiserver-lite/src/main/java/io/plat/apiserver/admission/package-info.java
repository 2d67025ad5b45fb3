/**
 * Validating admission policies: which policies and bindings match a request, with which parameters, and what becomes of the request.
 *
 * <p>Policies are read from the same snapshot of the store as everything else that a write depends on. There is nothing that follows
 * them and could be behind: a policy that was acknowledged applies to every write that begins afterwards.
 */
@NullMarked
package io.plat.apiserver.admission;

import org.jspecify.annotations.NullMarked;
