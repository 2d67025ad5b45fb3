/**
 * The interface that plug-ins are compiled against: third-party authorizers in separate jars (specification, "Authorizer plugins").
 *
 * <p>{@link io.plat.engine.plugin.AuthorizerPlugin} is the entry point. A plug-in can only access this package and the JDK. The
 * interface is stable: accessors may be added to {@link io.plat.engine.plugin.RequestAttributes}, none is changed or removed. Depends only on the
 * JDK.
 */
@NullMarked
package io.plat.engine.plugin;

import org.jspecify.annotations.NullMarked;
