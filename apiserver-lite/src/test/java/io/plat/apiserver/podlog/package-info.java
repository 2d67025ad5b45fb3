@NullMarked
package io.plat.apiserver.podlog;

import org.jspecify.annotations.NullMarked;
