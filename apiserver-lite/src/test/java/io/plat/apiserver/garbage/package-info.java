@NullMarked
package io.plat.apiserver.garbage;

import org.jspecify.annotations.NullMarked;
