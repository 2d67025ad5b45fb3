/**
 * Writes that need a further permission because of their content: to be somebody's dependent, to answer for a signer, to attest for one, to have policies read parameters. The
 * rules and their words are those of kube-apiserver's admission plug-ins. May depend on {@code io.plat.apiserver.operations} and {@code io.plat.engine}.
 */
@NullMarked
package io.plat.apiserver.permission;

import org.jspecify.annotations.NullMarked;
