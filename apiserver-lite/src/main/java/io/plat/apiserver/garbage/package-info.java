/**
 * Garbage: objects whose owners are gone. Follows every stored type through the store's watches, keeps who refers to whom by uid, and
 * deletes what is left without an owner, in the background, before its owner (foreground), or not at all (orphan).
 *
 * <p>Everything it knows it reads from the store when it starts, so that nothing is lost when a server stops in the middle. It
 * writes by the operations that requests use, on the condition that what it judged is still so.
 */
@NullMarked
package io.plat.apiserver.garbage;

import org.jspecify.annotations.NullMarked;
