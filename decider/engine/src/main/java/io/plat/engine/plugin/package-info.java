/**
 * What a plug-in is compiled against: an authorizer of somebody else's, in a jar of its own (specification, "Authorizer plugins").
 *
 * <p>{@link io.plat.engine.plugin.AuthorizerPlugin} is the whole of it. A plug-in sees this package and the JDK and nothing else
 * of the server. What is here stays: accessors may be added to {@link io.plat.engine.plugin.RequestAttributes}, nothing changes its
 * meaning or goes. May depend on nothing but the JDK.
 */
@NullMarked
package io.plat.engine.plugin;

import org.jspecify.annotations.NullMarked;
