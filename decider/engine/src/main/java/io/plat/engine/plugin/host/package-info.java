/**
 * Discovery, loading and calls of plug-ins.
 *
 * <p>A directory has one class loader: its jars see each other, the JDK and the package of the plug-in interface. Plug-ins are trusted code, as they run
 * in the server's process; the limits here contain the effects of their bugs. It is called on a bounded number of dedicated threads, until a
 * deadline; an exception or a timeout is {@code Undecided}. May depend on {@code io.plat.engine}, its plug-in package and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.plugin.host;

import org.jspecify.annotations.NullMarked;
