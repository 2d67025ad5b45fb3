/**
 * External authorization for proxies: a proxy describes a request that it has received, and forwards it only if it is allowed.
 *
 * <p>What does not depend on how the proxy asks is free of the HTTP server: {@link io.plat.fronts.check.ProxiedRequest} turns a request into attributes, or
 * refuses it as ambiguous; an {@link io.plat.fronts.check.IdentitySource} names its user; {@link io.plat.fronts.check.AnswerFields} are the header fields
 * of an answer. {@link io.plat.fronts.check.HttpCheck} is the front for proxies that ask by HTTP.
 */
@NullMarked
package io.plat.fronts.check;

import org.jspecify.annotations.NullMarked;
