/**
 * The interface that plug-ins are compiled against: third-party authorizers in jars of their own (specification, "Authorizer plugins").
 *
 * <p>{@link io.plat.engine.plugin.AuthorizerPlugin} is the whole of it. A plug-in sees this package and the JDK and nothing else of the server.
 * The interface is stable: accessors may be added to {@link io.plat.engine.plugin.RequestAttributes}, nothing is changed or removed. May depend
 * on nothing but the JDK.
 */
@NullMarked
package io.plat.engine.plugin;

import org.jspecify.annotations.NullMarked;
