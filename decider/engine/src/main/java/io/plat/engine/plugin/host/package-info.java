/**
 * How plug-ins are found, loaded and asked.
 *
 * <p>A folder has one class loader: its jars see each other, the JDK and the package that plug-ins are compiled against. A plug-in
 * is trusted code, as it runs in the server's process; what is bounded here is what its mistakes cost. It is asked on threads of its
 * own, a bounded number of them, and until a deadline; what it throws, and silence, is {@code Undecided}. May depend on {@code
 * io.plat.engine}, its plug-in package and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.plugin.host;

import org.jspecify.annotations.NullMarked;
