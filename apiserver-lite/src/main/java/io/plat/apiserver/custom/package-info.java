/**
 * Types made at run time: their definitions, which of them are served and under which names, and what holds for their objects.
 *
 * <p>Everything follows from the definitions in the store. One thread reads their changes, decides on names, writes conditions and
 * publishes what is served through one reference; a write of a definition is answered once that has been done. What a definition says
 * is compiled when its type is first used. May depend on {@code io.plat.apiserver.operations} and {@code io.plat.apiserver.storage};
 * knows no HTTP.
 */
@NullMarked
package io.plat.apiserver.custom;

import org.jspecify.annotations.NullMarked;
