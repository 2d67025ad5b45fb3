/**
 * Permission checks that depend on the content of a write: owner references, signers, attestation, policy parameters. The rules and
 * messages are those of kube-apiserver's admission plug-ins. May depend on {@code io.plat.apiserver.objects}, {@code
 * io.plat.apiserver.operations} and {@code io.plat.engine}.
 */
@NullMarked
package io.plat.apiserver.permission;

import org.jspecify.annotations.NullMarked;
