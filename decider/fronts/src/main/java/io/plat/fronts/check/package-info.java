/**
 * External authorization for proxies: a proxy describes a request that it has received, and forwards it only if it is allowed.
 *
 * <p>Classes that do not depend on the protocol are independent of the HTTP server: {@link io.plat.fronts.check.ProxiedRequest} turns a request into
 * attributes, or refuses it as ambiguous; an {@link io.plat.fronts.check.IdentitySource} identifies its user; {@link
 * io.plat.fronts.check.AnswerFields} are the header fields of a response. {@link io.plat.fronts.check.HttpCheck} handles checks over HTTP.
 */
@NullMarked
package io.plat.fronts.check;

import org.jspecify.annotations.NullMarked;
